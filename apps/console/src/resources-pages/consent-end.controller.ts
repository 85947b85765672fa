import { BadRequestException, Body, Post, Redirect } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import { endConsentByBank } from '@xs2a/contracts/consents.contract';
import { isUuid } from '@xs2a/domain/text/uuid';
import { type Html, html } from '@xs2a/html/html';
import { actionForm, readActionForm } from '../actions/action-form.js';
import { ActionRefused, Actions } from '../actions/actions.js';
import { StaffPages } from '../pages/staff-pages.js';
import { ThisVisit, type Visit } from '../pages/visit.js';
import { ForRoles } from '../staff/for-roles.js';

/** The form that ends a consent, on its page. */
export const consentEndForm = (consentId: string, csrf: string): Html => html`
  <section class="card" aria-label="End this consent">
    <h2>End this consent</h2>
    ${actionForm({
      csrf,
      to: '/consents/end',
      does: 'The TPP has no more access, at once and for good, and is notified. A valid consent expires; one that awaits a signature is rejected. The PSU can give a new consent.',
      button: 'End this consent',
      command: `xs2a consents end ${consentId}`,
      hidden: { consentId },
    })}
  </section>
`;

/** Ends a consent for the bank. */
@StaffPages('consents')
export class ConsentEndController {
  constructor(
    private readonly callClient: CallClient,
    private readonly actions: Actions,
  ) {}

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
    await this.actions.perform(request, async () => {
      const { consentStatus, ended } = await this.callClient.call(endConsentByBank, { consentId });
      if (!ended) throw new ActionRefused(`The consent had ended before: ${consentStatus}.`);
      return `The consent is ${consentStatus}.`;
    });
    return { url: `/actions/${actionId}`, statusCode: 303 };
  }
}
