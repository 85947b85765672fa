/**
 * Thrown when the command cannot do what was requested. The message is for the operator, with the command that
 * fixes the problem if there is one.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    message: string,
    /** 1: the command failed or found a problem in the system; 2: wrong usage. */
    readonly exitCode: 1 | 2 = 1,
  ) {
    super(message);
  }
}
