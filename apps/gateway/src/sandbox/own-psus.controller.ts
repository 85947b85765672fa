import { Controller, Req } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import { listOwnPsus, type OwnPsu } from '@xs2a/contracts/sandbox/own-psus.contract';
import { formatAmount } from '@xs2a/domain/money/money';
import type { EdgeRequest } from '../edge/edge-request.js';
import { Endpoint } from '../endpoint.js';
import { ownPageLinks, readOwnPage } from './own-page.js';

/** The people that a TPP created (contract 13). This controller is registered only in the sandbox. */
@Controller()
export class OwnPsusController {
  constructor(private readonly callClient: CallClient) {}

  @Endpoint('listOwnPsus')
  async list(@Req() request: EdgeRequest): Promise<Readonly<Record<string, unknown>>> {
    const page = readOwnPage(request);
    const { psus, next } = await this.callClient.call(listOwnPsus, page);
    return { psus: psus.map(psuJson), _links: ownPageLinks('/sandbox/psus', page, next) };
  }
}

const psuJson = ({ accounts, ...psu }: OwnPsu) => ({
  ...psu,
  accounts: accounts.map(({ iban, status, balance }) => ({
    iban,
    currency: balance.currency,
    status,
    balance: formatAmount(balance),
  })),
});
