import { Controller, Inject } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import { idempotencyFailures, type RequestOf } from '@xs2a/contracts/call';
import {
  addRedirectUri,
  checkRedirectUriBeforeBody,
  checkSecretBeforeBody,
  type OwnTpp,
  readOwnTpp,
  renewSecret,
} from '@xs2a/contracts/sandbox/own-tpp.contract';
import { CallFailed, callFailed } from '@xs2a/domain/failure/failed';
import { fail, type Failure } from '@xs2a/domain/failure/failures';
import { readDto } from '@xs2a/runtime/read-dto';
import { CONFIG } from '@xs2a/runtime/tokens';
import { toOwnedKey } from '@xs2a/postgres/idempotent-execution';
import { SHARED_TPPS } from '../tokens.js';
import { PresentSecretDto } from './present-secret.dto.js';
import { RedirectUriDto } from './redirect-uri.dto.js';
import { isSecret, notPresentSecret, TppRegistry } from './tpp-registry.js';
import { hasSecret, type Tpp } from './tpp.js';

/** What a TPP reads and changes of its own registration (contract 13); only in the sandbox. */
@Controller()
export class OwnTppController {
  constructor(
    private readonly registry: TppRegistry,
    @Inject(CONFIG) private readonly config: { readonly SANDBOX: boolean },
    /** The client ids of the fixtures. All users of the sandbox have their secrets, so they stay as they are. */
    @Inject(SHARED_TPPS) private readonly shared: ReadonlySet<string>,
  ) {}

  @Handles(readOwnTpp)
  async read({ tppId }: RequestOf<typeof readOwnTpp>): Promise<OwnTpp> {
    return toOwnTpp(await this.find(tppId));
  }

  @Handles(addRedirectUri)
  async addRedirectUri({ tppId, body, hasBoundToken }: RequestOf<typeof addRedirectUri>): Promise<OwnTpp> {
    const tpp = await this.findForRedirectUri(tppId, hasBoundToken);
    const read = readDto(RedirectUriDto, body, {
      rules: ({ clientSecret }) => wrongSecret(tpp, clientSecret),
    });
    if ('failures' in read) throw new CallFailed(read.failures);
    return toOwnTpp(await this.registry.addRedirectUri(tppId, read.dto.redirectUri));
  }

  @Handles(checkRedirectUriBeforeBody)
  async checkRedirectUriBeforeBody({
    tppId,
    hasBoundToken,
  }: RequestOf<typeof checkRedirectUriBeforeBody>): Promise<Record<string, never>> {
    await this.findForRedirectUri(tppId, hasBoundToken);
    return {};
  }

  @Handles(renewSecret)
  async renewSecret({
    tppId,
    idempotencyKey,
    body,
  }: RequestOf<typeof renewSecret>): Promise<{ readonly clientSecret: string }> {
    const tpp = await this.findWithSecret(tppId);
    const outcome = await this.registry.replaceSecret(tpp, toOwnedKey(tppId, idempotencyKey), () => {
      const read = readDto(PresentSecretDto, body, {
        rules: ({ clientSecret }) => wrongSecret(tpp, clientSecret),
      });
      return 'failures' in read ? read.failures : [];
    });
    if ('taken' in outcome) throw new CallFailed([idempotencyFailures[outcome.taken]]);
    if ('failures' in outcome.answer) throw new CallFailed(outcome.answer.failures);
    return outcome.answer;
  }

  @Handles(checkSecretBeforeBody)
  async checkSecretBeforeBody({
    tppId,
    idempotencyKey,
  }: RequestOf<typeof checkSecretBeforeBody>): Promise<Record<string, never>> {
    await this.findWithSecret(tppId);
    const taken = await this.registry.checkKey(toOwnedKey(tppId, idempotencyKey));
    if (taken !== undefined) throw new CallFailed([idempotencyFailures[taken]]);
    return {};
  }

  private async find(tppId: string): Promise<Tpp> {
    if (!this.config.SANDBOX) throw callFailed('pathUnknown');
    const tpp = await this.registry.find(tppId);
    if (tpp === undefined) throw callFailed('resourceUnknown');
    return tpp;
  }

  private async findChangeable(tppId: string): Promise<Tpp> {
    const tpp = await this.find(tppId);
    if (this.shared.has(tppId)) throw callFailed('registrationShared');
    return tpp;
  }

  private async findForRedirectUri(tppId: string, hasBoundToken: boolean | undefined): Promise<Tpp> {
    const tpp = await this.findChangeable(tppId);
    if (!hasSecret(tpp) && hasBoundToken !== true)
      throw callFailed('tokenOfWrongKind', undefined, unboundToken);
    return tpp;
  }

  private async findWithSecret(tppId: string): Promise<Tpp> {
    const tpp = await this.findChangeable(tppId);
    if (!hasSecret(tpp)) throw callFailed('registrationWithoutSecret');
    return tpp;
  }
}

const unboundToken =
  'Your TPP authenticates without a secret. Call with a token that is bound to your key (DPoP) or certificate.';

/**
 * Returns a failure unless `sent` is the present client secret of the TPP, or the TPP has no secret. An access token
 * can leak, for example into a log, and a leaked token must not be enough to change who controls the TPP.
 */
const wrongSecret = ({ secretHash }: Tpp, sent: unknown): readonly Failure[] => {
  if (secretHash === undefined) return [];
  if (sent === undefined) return [fail('fieldMissing', 'clientSecret')];
  return typeof sent === 'string' && isSecret(sent, secretHash) ? [] : [notPresentSecret];
};

const toOwnTpp = ({ clientId, name, roles, redirectUris, authMethod, jwks, status }: Tpp): OwnTpp => ({
  clientId,
  name,
  roles,
  redirectUris,
  tokenEndpointAuthMethod: authMethod,
  jwks,
  status,
});
