/**
 * Thrown when the command cannot do what the operator requested. The message is written for the operator, and
 * includes the command that fixes the problem if there is one.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    message: string,
    /** 1 if the command failed or found a problem in the system; 2 if it was called incorrectly. */
    readonly exitCode: 1 | 2 = 1,
    /** True if a service that was asked does not answer. */
    readonly isDown = false,
  ) {
    super(message);
  }
}
