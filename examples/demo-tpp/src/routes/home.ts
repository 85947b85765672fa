import { Get, Post, Req, Res } from '@nestjs/common';
import { html } from '@xs2a/html/html';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Bank } from '../bank/bank.js';
import { BankLogin } from '../bank/bank-login.js';
import { form, type Page, page, Redirect } from '../page/layout.js';
import { PageController } from '../page/page-controller.js';
import { type Visit, Visiting } from '../page/visit.js';

/** The first page, on which the user connects and disconnects accounts at the bank. */
@PageController()
export class HomeRoutes {
  constructor(
    private readonly bank: Bank,
    private readonly bankLogin: BankLogin,
  ) {}

  @Get()
  home(@Visiting() visit: Visit): Page {
    return homePage(visit);
  }

  /** Requests a consent in which the user chooses the accounts at the bank. The browser is sent there next. */
  @Post('connect')
  async connect(@Visiting() { session, form, ip }: Visit): Promise<Redirect> {
    const psuId = Array.from((form.get('psuId') ?? '').trim())
      .slice(0, 64)
      .join('');
    const { status, body } = await this.bank.asApplication<{ readonly consentId: string }>(
      'PSP_AI',
      'POST',
      '/v1/consents',
      {
        json: {
          access: { accounts: [], balances: [], transactions: [] },
          recurringIndicator: true,
          // Requests the longest period. The bank shortens it to the maximum that it allows (Berlin Group,
          // validUntil).
          validUntil: '9999-12-31',
          frequencyPerDay: 4,
          combinedServiceIndicator: false,
        },
        headers: { 'psu-id': encodeURI(psuId), 'psu-ip-address': ip },
      },
    );
    if (status !== 201) {
      session.notice = { text: 'The bank did not take the request. Check the user name and try again.' };
      return new Redirect('/');
    }
    session.login = { scope: 'PSP_AI', consentId: body.consentId, psuId };
    return new Redirect('/login');
  }

  /** Ends the access in this app and at the bank. */
  @Post('disconnect')
  async disconnect(@Visiting() { session }: Visit): Promise<Redirect> {
    const { connection } = session;
    if (connection !== undefined)
      await this.bank.asApplication('PSP_AI', 'DELETE', `/v1/consents/${connection.consentId}`);
    delete session.connection;
    session.accounts = [];
    session.notice = { text: 'The connection has ended, here and at your bank.', isGood: true };
    return new Redirect('/');
  }

  /** Redirects to the bank's authorization endpoint, for the user's last request. */
  @Get('login')
  login(@Visiting() { session }: Visit, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const { login } = session;
    delete session.login;
    if (login === undefined) void reply.code(303).header('Location', '/').send();
    else this.bankLogin.redirect(login, request, reply);
  }

  /** Handles the browser's return from the bank. */
  @Get('callback')
  async callback(
    @Visiting() visit: Visit,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Redirect> {
    const { session } = visit;
    const result = await this.bankLogin.finish(request, reply);
    if ('failed' in result) {
      session.notice = { text: failures[result.failed] };
      return new Redirect('/');
    }
    const { login, grant } = result;
    visit.renewSession();
    if (login.scope === 'PSP_IC') {
      session.funds = grant;
      session.notice = { text: 'You may now ask whether an amount is covered.', isGood: true };
      return new Redirect('/funds');
    }
    session.connection = { consentId: login.consentId, psuId: login.psuId, grant };
    session.notice = { text: 'Your bank is connected.', isGood: true };
    return new Redirect('/accounts');
  }
}

const failures = {
  refused: 'You did not give access at your bank. Nothing was read.',
  'not-ours': 'This return from the bank does not belong to a request of yours. Start again.',
};

const homePage = (visit: Visit): Page => {
  const connect = html`<h2>Connect my bank</h2>
    <p>You sign in at the bank, choose the accounts there, and come back.</p>
    ${form(
      visit,
      '/connect',
      html`<label for="psuId">User name at the bank</label>
        <input id="psuId" name="psuId" autocomplete="off" autocapitalize="none" maxlength="64" required />
        <button>Connect my bank</button>`,
    )}`;
  const connected = html`<h2>Your bank is connected.</h2>
    <p><a href="/accounts">Accounts</a></p>
    ${form(visit, '/disconnect', html`<button class="secondary">Disconnect</button>`)}`;
  return page(
    visit,
    'All your money in one place',
    html`<p>
        This is a demonstration of a third party that uses the bank’s open interface. It never sees your
        password.
      </p>
      ${visit.session.connection === undefined ? connect : connected}`,
  );
};
