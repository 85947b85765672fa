import { Controller } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import type { RequestOf } from '@xs2a/contracts/call';
import { signBundle } from '@xs2a/contracts/dispute-bundle.contract';
import { BundleSigner } from './oauth/tokens/bundle-signatures.js';

/** Signs dispute bundles, so that the private keys never leave this service. */
@Controller()
export class BundleSigningController {
  constructor(private readonly signer: BundleSigner) {}

  @Handles(signBundle)
  async sign(asked: RequestOf<typeof signBundle>) {
    return this.signer.sign(asked);
  }
}
