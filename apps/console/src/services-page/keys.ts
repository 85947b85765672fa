import { Injectable } from '@nestjs/common';
import {
  type KeyReport,
  readConsentKeys,
  readPaymentKeys,
  readSigningKeys,
} from '@xs2a/contracts/console/key.contract';
import type { ServiceName } from '@xs2a/contracts/services';
import { type Part, Parts } from '../parts/parts.js';

/** For each service with signing keys or master keys: the reports on them, or the name of the service that did not respond. */
export type KeyReports = readonly (readonly [ServiceName, Part<readonly KeyReport[]>])[];

/** Queries auth for its signing keys, and payments and consents for their master keys. No service returns key material. */
@Injectable()
export class Keys {
  constructor(private readonly parts: Parts) {}

  async read(): Promise<KeyReports> {
    const [auth, payments, consents] = await Promise.all([
      this.parts.ask(readSigningKeys, {}),
      this.parts.ask(readPaymentKeys, {}),
      this.parts.ask(readConsentKeys, {}),
    ]);
    return [
      ['auth', auth],
      ['payments', payments],
      ['consents', consents],
    ];
  }
}
