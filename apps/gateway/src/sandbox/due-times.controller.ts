import { Controller, Req } from '@nestjs/common';
import { expireBasket } from '@xs2a/contracts/baskets.contract';
import { expireConsent } from '@xs2a/contracts/consents.contract';
import { expirePayment, settlePayment } from '@xs2a/contracts/payments.contract';
import { CallFailed, callFailed } from '@xs2a/domain/failure/failed';
import { CallClient } from '@xs2a/calls/client';
import { type EdgeRequest, parseId, requireCaller } from '../edge/edge-request.js';
import { Endpoint } from '../endpoint.js';

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
      .catch((error: unknown) => {
        throw isConsentUnknown(error) ? callFailed('resourceUnknown') : error;
      });
    await this.expireBasketOf(tppId, consent);
  }

  /** An item in a signing basket ends with its basket. */
  private async expireBasketOf(tppId: string, { basketId }: { readonly basketId?: string }): Promise<void> {
    if (basketId !== undefined) await this.callClient.call(expireBasket, { tppId, basketId });
  }
}

/** True for the answer of the consents service, which is 403 at the consent's own endpoints but 404 here. */
const isConsentUnknown = (error: unknown): boolean =>
  error instanceof CallFailed && error.failures[0]?.failure === 'consentUnknown';
