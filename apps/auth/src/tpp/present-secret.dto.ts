import { Allow } from 'class-validator';

/** The body of `POST /sandbox/tpp/secret`, with which a TPP replaces its client secret (contract 13). */
export class PresentSecretDto {
  /**
   * The TPP's present client secret. `OwnTppController` compares it with the TPP's registration, so this class accepts
   * any value.
   */
  @Allow()
  readonly clientSecret?: unknown;
}
