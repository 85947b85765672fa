import { Injectable } from '@nestjs/common';
import {
  readConsentModels,
  type ReadModelReport,
  readPaymentModels,
} from '@xs2a/contracts/console/read-model.contract';
import type { EventResource } from '@xs2a/contracts/event-streams';
import { type Part, Parts } from '../parts/parts.js';

/** For each service with read models: the reports on them, or the name of the service that did not respond. */
export type ReadModelReports = readonly (readonly [EventResource, Part<readonly ReadModelReport[]>])[];

/** Queries payments and consents for the log position and the latest rebuild of each of their read models. */
@Injectable()
export class ReadModels {
  constructor(private readonly parts: Parts) {}

  async read(): Promise<ReadModelReports> {
    const [payments, consents] = await Promise.all([
      this.parts.ask(readPaymentModels, {}),
      this.parts.ask(readConsentModels, {}),
    ]);
    return [
      ['payments', payments],
      ['consents', consents],
    ];
  }
}
