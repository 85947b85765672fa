/** Thrown for a form that cannot be accepted. The message says to the person what is wrong. */
export class FormRefused extends Error {
  override readonly name = 'FormRefused';

  constructor(
    message: string,
    /** The path of the page with the form. */
    readonly to: string,
  ) {
    super(message);
  }
}
