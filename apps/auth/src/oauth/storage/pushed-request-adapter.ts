import { errors } from 'oidc-provider';
import { ModelAdapter, type ModelParts } from './model-adapter.js';

/**
 * Pushed authorization requests (RFC 9126). A `request_uri` is used up when the PSU has decided: pages may be loaded again or
 * opened by a preview before that. Of several decisions on one request the first counts.
 */
export class PushedRequestAdapter extends ModelAdapter {
  constructor(parts: ModelParts) {
    super('PushedAuthorizationRequest', parts);
  }

  override async consume(id: string): Promise<void> {
    if (!(await this.take(id))) throw new errors.InvalidRequestUri('request_uri was already used');
  }
}
