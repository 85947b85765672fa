import { IsDefined, IsUrl, MaxLength } from 'class-validator';

export const uriHint =
  'Send an address of at most 2000 characters whose origin is that of one of your redirect URIs.';

/** The body of `POST /sandbox/visits`. */
export class VisitDto {
  @IsDefined()
  @IsUrl(
    { protocols: ['https', 'http'], require_protocol: true, require_tld: false, disallow_auth: true },
    { message: uriHint },
  )
  @MaxLength(2000, { message: uriHint })
  readonly uri!: string;
}
