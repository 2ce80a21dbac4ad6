const NAME = /^[A-Za-z0-9][\w-]{0,59}$/;

/** What a project has only so many of: `db`. It names a folder, too. */
export function isResourceName(text: string): boolean {
  return NAME.test(text);
}
