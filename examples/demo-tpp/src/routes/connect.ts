import { Get, Inject, Post, Req } from '@nestjs/common';
import { Xs2aError } from '@xs2a/client/error';
import { CONFIG } from '@xs2a/runtime/tokens';
import type { FastifyRequest } from 'fastify';
import { Bank, refusalOf } from '../bank/bank.js';
import type { Settings } from '../config.js';
import { Redirect } from '../page/layout.js';
import { PageController } from '../page/page-controller.js';
import { type Visit, Visiting } from '../page/visit.js';

/** Connects and disconnects accounts at the bank. */
@PageController()
export class ConnectRoutes {
  constructor(
    private readonly bank: Bank,
    @Inject(CONFIG) private readonly settings: Settings,
  ) {}

  /** Requests a consent in which the user chooses the accounts at the bank. The browser is sent there next. */
  @Post('connect')
  async connect(@Visiting() { session, form, ip }: Visit): Promise<Redirect> {
    const psuId = Array.from((form.get('psuId') ?? '').trim())
      .slice(0, 64)
      .join('');
    const started = await this.bank.xs2a.consents
      .start(
        {
          access: { accounts: [], balances: [], transactions: [] },
          recurringIndicator: true,
          // Requests the longest period. The bank shortens it to the maximum that it allows (Berlin Group,
          // validUntil).
          validUntil: '9999-12-31',
          frequencyPerDay: 4,
          combinedServiceIndicator: false,
        },
        { psuId, psuIpAddress: ip },
      )
      .catch(refusalOf);
    if (started instanceof Xs2aError) {
      session.notice = { text: 'The bank refused the request. Check the user name and try again.' };
      return new Redirect('/accounts');
    }
    session.login = { scope: 'PSP_AI', psuId, ...started };
    return new Redirect('/login');
  }

  /** Ends the access in this app and at the bank. */
  @Post('disconnect')
  async disconnect(@Visiting() { session }: Visit): Promise<Redirect> {
    const { connection } = session;
    if (connection !== undefined) await this.bank.xs2a.consents.delete(connection.consentId).catch(refusalOf);
    delete session.connection;
    session.accounts = [];
    session.notice = { text: 'The connection has ended, here and at your bank.', isGood: true };
    return new Redirect('/accounts');
  }

  /** Redirects to the bank's authorization endpoint, for the user's last request. */
  @Get('login')
  login(@Visiting() { session }: Visit): Redirect {
    const { login } = session;
    delete session.login;
    if (login === undefined) return new Redirect('/accounts');
    session.awaited = login;
    return new Redirect(login.url);
  }

  /**
   * Handles the browser's return from the bank. A return that does not belong to this browser's login changes nothing.
   */
  @Get('callback')
  async callback(@Visiting() visit: Visit, @Req() { url, query }: FastifyRequest): Promise<Redirect> {
    const { session } = visit;
    const { BANK_URL, OWN_URL } = this.settings;
    const { iss, state } = Object(query) as Readonly<Record<string, unknown>>;
    const login = session.awaited;
    if (login === undefined || iss !== BANK_URL || state !== login.pending.state) {
      session.notice = {
        text: 'This return from the bank does not belong to a request of yours. Start again.',
      };
      return new Redirect('/accounts');
    }
    // Before the code is exchanged, so that it is exchanged once.
    delete session.awaited;
    const access = await this.bank.xs2a.consents
      .finish(new URL(url, OWN_URL), login.pending)
      .catch(refusalOf);
    if (access instanceof Xs2aError) {
      const text =
        access.code === 'access_denied'
          ? 'You did not give access at your bank. Nothing was read.'
          : 'Your bank did not connect. Nothing was read. Start again.';
      session.notice = { text };
      return new Redirect('/accounts');
    }
    visit.renewSession();
    if (login.scope === 'PSP_IC') {
      session.funds = access;
      session.notice = { text: 'You may now ask whether an amount is covered.', isGood: true };
      return new Redirect('/funds');
    }
    session.connection = { consentId: login.consentId, psuId: login.psuId, access };
    session.notice = { text: 'Your bank is connected.', isGood: true };
    return new Redirect('/accounts');
  }
}
