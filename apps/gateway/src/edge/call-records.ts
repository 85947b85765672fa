import { Inject, Injectable } from '@nestjs/common';
import {
  type AddressTally,
  type CallBatch,
  type CallTally,
  recordCalls,
  type ReportedApi,
  type TppTally,
} from '@xs2a/contracts/call-records.contract';
import type { Profile } from '@xs2a/domain/profile/profile';
import { addDays, startOfBankDay } from '@xs2a/domain/time/bank-calendar';
import { CallClient } from '@xs2a/calls/client';
import type { Logger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { LOGGER, PROFILE } from '@xs2a/runtime/tokens';
import { Sweep } from '@xs2a/runtime/background/sweep';
import { type EndpointId, endpointRules, type TokenKind } from '../endpoint-rules.js';

/** The API under which an endpoint's calls are reported, by the kind of token that it requires. */
const apiByToken: Readonly<Record<TokenKind, ReportedApi | undefined>> = {
  accounts: 'AIS',
  consents: 'AIS',
  ownConsent: 'AIS',
  payments: 'PIS',
  funds: 'CoF',
  anyApplication: undefined,
  none: undefined,
};

/** The client disconnected before the complete response was sent (nginx uses the same status). */
export const clientClosedRequest = 499;

/** The record of a request that has been answered. */
export interface AnsweredCall {
  readonly endpoint: EndpointId;
  readonly status: number;
  /** The duration until the last byte of the response was sent, in milliseconds. */
  readonly ms: number;
  /** The remote address of the connection. */
  readonly peer: string;
  readonly tppId?: string;
  readonly consentId?: string;
  readonly psuIpAddress?: string;
}

type Mutable<Tally> = { -readonly [Name in keyof Tally]: Tally[Name] };
interface OpenBatch {
  readonly day: string;
  readonly calls: Map<EndpointId, Mutable<CallTally>>;
  readonly byTpp: Map<string, Mutable<TppTally>>;
  readonly addresses: Map<string, Mutable<AddressTally>>;
}

const everyMs = 5000;
/** The maximum number of addresses in a batch; further calls are counted without an address. */
const maxAddresses = 10_000;

/**
 * Counts calls for the daily statistics and for the audit of PSU-IP-Address, and sends the counts in one message
 * every few seconds. Counting a call takes only three look-ups. A gateway that is killed loses the counts since
 * its last message.
 */
@Injectable()
export class CallRecords {
  private open: OpenBatch | undefined;
  private dayEndsMs = Number.NEGATIVE_INFINITY;
  private readonly closed: CallBatch[] = [];
  private readonly sweep: Sweep;

  constructor(
    @Inject(CallClient) private readonly callClient: Pick<CallClient, 'call'>,
    private readonly clock: Clock,
    @Inject(PROFILE) private readonly profile: Pick<Profile, 'timeZone'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const run = async (): Promise<number> => this.handOn();
    this.sweep = new Sweep({ name: 'call records', everyMs, clock, logger, run });
  }

  start(): void {
    this.sweep.start();
  }

  /** Sends the remaining counts. They are lost if nobody accepts them. */
  async stop(): Promise<void> {
    await this.sweep.stop();
    this.close();
    await this.handOn().catch((error: unknown) =>
      this.logger.warn({ error }, 'recording the last calls failed'),
    );
  }

  note(call: AnsweredCall): void {
    const api = apiByToken[endpointRules[call.endpoint].token];
    if (api === undefined) return;
    const { day, calls, byTpp, addresses } = this.today();
    const { endpoint, tppId = '' } = call;
    let tally = calls.get(endpoint);
    if (tally === undefined) {
      tally = { day, api, endpoint, ...nothing };
      calls.set(endpoint, tally);
    }
    count(tally, call);
    const key = `${api} ${tppId}`;
    let ofTpp = byTpp.get(key);
    if (ofTpp === undefined) {
      ofTpp = { day, api, tppId, ...nothing };
      byTpp.set(key, ofTpp);
    }
    count(ofTpp, call);
    if (call.psuIpAddress !== undefined) noteAddress(addresses, day, call, call.psuIpAddress);
  }

  /** Sends the counts. Always returns 0, because nothing more needs to be sent immediately. */
  private async handOn(): Promise<number> {
    // While one batch waits to be sent, all counting continues in a single further batch, so memory use stays
    // limited.
    if (this.closed.length === 0) this.close();
    for (let batch = this.closed[0]; batch !== undefined; batch = this.closed[0]) {
      await this.callClient.call(recordCalls, batch);
      this.closed.shift();
    }
    return 0;
  }

  private today(): OpenBatch {
    const { clock } = this;
    const { timeZone } = this.profile;
    if (clock.nowMs() >= this.dayEndsMs) {
      this.close();
      const tomorrow = addDays(clock.date(timeZone), 1);
      this.dayEndsMs = Date.parse(startOfBankDay(tomorrow, timeZone));
    }
    this.open ??= { day: clock.date(timeZone), calls: new Map(), byTpp: new Map(), addresses: new Map() };
    return this.open;
  }

  private close(): void {
    if (this.open === undefined) return;
    const { calls, byTpp, addresses } = this.open;
    const listed = { calls: [...calls.values()], byTpp: [...byTpp.values()] };
    this.closed.push({ batchId: newId(), ...listed, addresses: [...addresses.values()] });
    this.open = undefined;
  }
}

const nothing = { calls: 0, refused: 0, failed: 0, totalMs: 0 };

const count = (tally: Mutable<Omit<TppTally, 'tppId'>>, { status, ms }: AnsweredCall): void => {
  tally.calls += 1;
  tally.totalMs += ms;
  if (status === clientClosedRequest) return;
  if (status >= 500) tally.failed += 1;
  else if (status >= 400) tally.refused += 1;
};

const noteAddress = (
  addresses: OpenBatch['addresses'],
  day: string,
  { consentId, tppId, peer }: AnsweredCall,
  sent: string,
): void => {
  if (consentId === undefined || tppId === undefined) return;
  const address = sent.toLowerCase();
  const key = `${consentId} ${address}`;
  let tally = addresses.get(key);
  if (tally === undefined) {
    if (addresses.size >= maxAddresses) return;
    tally = { day, consentId, tppId, address, calls: 0, fromTpp: 0 };
    addresses.set(key, tally);
  }
  tally.calls += 1;
  if (address === peer.toLowerCase().replace(/^::ffff:/, '')) tally.fromTpp += 1;
};
