/** Something the user can fix: one clear sentence with what to do. */
export class UserError extends Error {
  override readonly name = "UserError";
  readonly exitCode: number;

  constructor(message: string, options: ErrorOptions & { readonly exitCode?: number } = {}) {
    super(message, options);
    this.exitCode = options.exitCode ?? 1;
  }
}
