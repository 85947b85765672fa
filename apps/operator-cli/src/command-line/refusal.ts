/** The command cannot do what was asked; the message is for the operator, with the command that fixes it where there is one. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    message: string,
    /** 1: it could not be done, or something is wrong with the system; 2: it was asked for wrongly. */
    readonly exitCode: 1 | 2 = 1,
  ) {
    super(message);
  }
}
