import { Controller, Req } from '@nestjs/common';
import { expireBasket } from '@xs2a/contracts/baskets.contract';
import { expireConsent } from '@xs2a/contracts/consents.contract';
import { expirePayment, settlePayment } from '@xs2a/contracts/payments.contract';
import { CallClient } from '@xs2a/calls/client';
import { type EdgeRequest, parseId, requireCaller } from '../edge/edge-request.js';
import { Endpoint } from '../endpoint.js';
import { throwResourceUnknown } from './consent-unknown.js';

/** Lets one payment or consent reach its time now, so that a test need not move everybody's clock (contract 13). */
@Controller()
export class DueTimesController {
  constructor(private readonly callClient: CallClient) {}

  @Endpoint('settlePayment')
  async settlePayment(@Req() request: EdgeRequest): Promise<void> {
    const { clientId: tppId } = requireCaller(request).tpp;
    await this.callClient.call(settlePayment, { tppId, paymentId: parseId(request.params['paymentId']) });
  }

  @Endpoint('expirePayment')
  async expirePayment(@Req() request: EdgeRequest): Promise<void> {
    const { clientId: tppId } = requireCaller(request).tpp;
    const paymentId = parseId(request.params['paymentId']);
    await this.expireBasketOf(tppId, await this.callClient.call(expirePayment, { tppId, paymentId }));
  }

  @Endpoint('expireConsent')
  async expireConsent(@Req() request: EdgeRequest): Promise<void> {
    const { clientId: tppId } = requireCaller(request).tpp;
    const consentId = parseId(request.params['consentId']);
    const consent = await this.callClient
      .call(expireConsent, { tppId, consentId })
      .catch(throwResourceUnknown);
    await this.expireBasketOf(tppId, consent);
  }

  /** An item in a signing basket ends with its basket. */
  private async expireBasketOf(tppId: string, { basketId }: { readonly basketId?: string }): Promise<void> {
    if (basketId !== undefined) await this.callClient.call(expireBasket, { tppId, basketId });
  }
}
