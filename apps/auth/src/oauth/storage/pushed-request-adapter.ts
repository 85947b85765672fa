import { errors } from 'oidc-provider';
import { ModelAdapter, type ModelParts } from './model-adapter.js';

/**
 * Pushed authorization requests (RFC 9126). A `request_uri` is consumed only when the PSU has decided, because
 * until then pages may be reloaded or opened by a link preview. If several decisions are made on one request, the
 * first one counts.
 */
export class PushedRequestAdapter extends ModelAdapter {
  constructor(parts: ModelParts) {
    super('PushedAuthorizationRequest', parts);
  }

  override async consume(id: string): Promise<void> {
    if (!(await this.take(id))) throw new errors.InvalidRequestUri('request_uri was already used');
  }
}
