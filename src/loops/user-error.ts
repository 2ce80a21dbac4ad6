/** Something that the user can put right: one clear sentence, and what to do. */
export class UserError extends Error {
  override readonly name = "UserError";
  readonly exitCode: number;

  constructor(message: string, options: ErrorOptions & { readonly exitCode?: number } = {}) {
    super(message, options);
    this.exitCode = options.exitCode ?? 1;
  }
}
