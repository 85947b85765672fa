import { BadRequestException, Body, Post, Redirect } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import { endConsentByBank } from '@xs2a/contracts/consents.contract';
import { isUuid } from '@xs2a/domain/text/uuid';
import { readActionForm } from '../actions/action-form.js';
import { ActionRefused, Actions } from '../actions/actions.js';
import { TwoPeople } from '../actions/two-people.js';
import { StaffPages } from '../pages/staff-pages.js';
import { ThisVisit, type Visit } from '../pages/visit.js';
import { ForRoles } from '../staff/for-roles.js';

/** Ends a consent for the bank. */
@StaffPages('consents')
export class ConsentEndController {
  constructor(
    private readonly callClient: CallClient,
    private readonly actions: Actions,
    twoPeople: TwoPeople,
  ) {
    twoPeople.register('end-consent', {
      does: 'Ends the consent for good; the TPP is notified.',
      isTarget: isUuid,
      run: async ({ target }) => this.endConsent(target),
    });
  }

  @Post('end')
  @ForRoles('operator')
  @Redirect()
  async end(
    @ThisVisit() { staff }: Visit,
    @Body() form: URLSearchParams,
  ): Promise<{ readonly url: string; readonly statusCode: number }> {
    const consentId = form.get('consentId');
    if (!isUuid(consentId)) throw new BadRequestException();
    const persons = { psuIds: [], ibans: [] };
    const { actionId, reason } = readActionForm(form, { to: `/consents/${consentId}`, persons });
    const request = { actionId, staff, act: 'end-consent', target: consentId, reason } as const;
    await this.actions.perform(request, async () => this.endConsent(consentId));
    return { url: `/actions/${actionId}`, statusCode: 303 };
  }

  private async endConsent(consentId: string): Promise<string> {
    const { consentStatus, ended } = await this.callClient.call(endConsentByBank, { consentId });
    if (!ended) throw new ActionRefused(`The consent had ended before: ${consentStatus}.`);
    return `The consent is ${consentStatus}.`;
  }
}
