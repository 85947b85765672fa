import { Controller } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import { type KeyReport, readSigningKeys } from '@xs2a/contracts/console/key.contract';
import { KeyReports } from './oauth/tokens/key-reports.js';

/** Answers the NATS call with which the console and the operator's command list the signing keys. */
@Controller()
export class KeyReportsController {
  constructor(private readonly keys: KeyReports) {}

  @Handles(readSigningKeys)
  async read(): Promise<readonly KeyReport[]> {
    return this.keys.reports;
  }
}
