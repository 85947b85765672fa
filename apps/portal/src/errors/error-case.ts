/**
 * One cause of an error code: a refused call returns the code, or the status of a payment or basket contains the code.
 */
export interface ErrorCase {
  /** The HTTP status of the answer with the code; 200 if the code is in the status of a payment or basket. */
  readonly status: number;
  /**
   * The advice in the answer, unless the answer has a more specific text; several texts if the cause has several forms.
   */
  readonly texts: readonly string[];
  /** The rule of the contract or specification, with code in backticks and links in the form `[words](address)`. */
  readonly cause: string;
  /** What the developer of the TPP does next; empty if a corrected request is enough. */
  readonly remedy: readonly string[];
  /** The feature that a bank must offer to return the code for this cause; absent if every bank can return the code. */
  readonly offer?: 'payee-verification' | 'instant-payments' | 'euro';
}
