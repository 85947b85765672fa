import { Allow, IsDefined, ValidateBy } from 'class-validator';
import { isRedirectUri } from './redirect-uri.js';

/** The body of `POST /sandbox/tpp/redirect-uris` (contract 13). */
export class RedirectUriDto {
  @IsDefined()
  @ValidateBy(
    { name: 'isRedirectUri', validator: { validate: isRedirectUri } },
    {
      message:
        'Send an https URI, or http to a loopback host, without a fragment and not at a private address.',
    },
  )
  readonly redirectUri!: string;

  /**
   * The TPP's present client secret. `OwnTppController` compares it with the TPP's registration, so this class accepts
   * any value.
   */
  @Allow()
  readonly clientSecret?: unknown;
}
