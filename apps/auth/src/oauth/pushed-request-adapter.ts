import type { AdapterPayload } from 'oidc-provider';
import { ArtefactAdapter, type ArtefactParts } from './artefact-adapter.js';

/**
 * Pushed authorization requests (RFC 9126). The first browser that brings a `request_uri` uses it up: it is found once, so
 * the provider's own mark at the end of the interaction has nothing left to do.
 */
export class PushedRequestAdapter extends ArtefactAdapter {
  constructor(parts: ArtefactParts) {
    super('PushedAuthorizationRequest', parts);
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    return this.take(id);
  }
}
