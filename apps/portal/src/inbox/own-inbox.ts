import { Inject, Injectable } from '@nestjs/common';
import { inboxPath } from '@xs2a/contracts/portal/inbox';
import type { Html } from '@xs2a/html/html';
import { CONFIG } from '@xs2a/runtime/tokens';
import type { JSONWebKeySet } from 'jose';
import type { PortalConfig } from '../config.js';
import type { OwnTpp } from '../own-things/own-things.js';
import { bodyOf, refusalNote } from '../workspace/answers.js';
import type { Credentials } from '../workspace/session.js';
import { ApiUnreachable, TppApi } from '../workspace/tpp-api.js';
import { InboxAddresses } from './inbox-addresses.js';
import { InboxEntries, type InboxEntry } from './inbox-entries.js';
import { type Plan, PlannedAnswers } from './planned-answers.js';
import { signatureProblem } from './verify-entry.js';

export interface ShownInbox {
  /** The address at which it receives. */
  readonly address: string;
  /** Newest first. */
  readonly entries: readonly VerifiedEntry[];
  /** Its next answers, if they fail on purpose. */
  readonly plan: Plan | undefined;
}
export interface VerifiedEntry extends InboxEntry {
  /** Why the signature is not valid; absent if it is. */
  readonly problem?: string;
}

/**
 * The inbox of the TPP that signed in. The registration of the TPP names it: a redirect URI with the origin of the portal is
 * needed anyway, because the bank pushes only to origins of registered redirect URIs (contract 11), and its last segment is
 * the proof that the inbox belongs to this TPP. So no inbox is stored here, and a later sign-in finds it again.
 */
@Injectable()
export class OwnInbox {
  private readonly returns: string;

  constructor(
    private readonly api: TppApi,
    private readonly addresses: InboxAddresses,
    private readonly entries: InboxEntries,
    private readonly planned: PlannedAnswers,
    @Inject(CONFIG) private readonly config: PortalConfig,
  ) {
    this.returns = `${config.BASE_URL}/workspace/return/`;
  }

  /** Returns what the TPP's inbox has received; undefined if it has no inbox. Throws {@link ApiUnreachable} if it cannot be read. */
  async read(tpp: Credentials): Promise<ShownInbox | undefined> {
    const id = await this.find(tpp);
    if (id === undefined) return undefined;
    const [entries, plan] = await stored(Promise.all([this.entries.list(id), this.planned.read(id)]));
    return { address: this.addressOf(id), entries: await this.verified(entries), plan };
  }

  /** Makes an inbox, unless the TPP has one. Returns why the API refused it. */
  async create(tpp: Credentials): Promise<Html | undefined> {
    if ((await this.find(tpp)) !== undefined) return undefined;
    const proof = this.addresses.proofOf(tpp.clientId, this.addresses.newId());
    const answer = await this.api.send(tpp, {
      method: 'POST',
      path: '/sandbox/tpp/redirect-uris',
      body: JSON.stringify({
        redirectUri: `${this.returns}${proof}`,
        clientSecret: tpp.clientSecret,
      }),
    });
    return refusalNote(answer);
  }

  /**
   * Replaces the plan of the TPP's inbox; without a plan, it answers as usual. Returns false if the TPP has no inbox. Throws
   * {@link ApiUnreachable} if the plan may not be stored.
   */
  async plan(tpp: Credentials, plan: Plan | undefined): Promise<boolean> {
    const id = await this.find(tpp);
    if (id !== undefined) await stored(this.planned.plan(id, plan));
    return id !== undefined;
  }

  /** Returns the id of the TPP's inbox. Of several, which parallel forms may have made, it is always the first. */
  private async find(tpp: Credentials): Promise<string | undefined> {
    const { redirectUris } = bodyOf<OwnTpp>(
      await this.api.send(tpp, { method: 'GET', path: '/sandbox/tpp' }),
    );
    for (const uri of redirectUris) {
      if (!uri.startsWith(this.returns)) continue;
      const id = this.addresses.idOfProof(tpp.clientId, uri.slice(this.returns.length));
      if (id !== undefined) return id;
    }
    return undefined;
  }

  private addressOf(id: string): string {
    return `${this.config.BASE_URL}${inboxPath}/${this.addresses.secretOf(id)}`;
  }

  private async verified(entries: readonly InboxEntry[]): Promise<readonly VerifiedEntry[]> {
    if (entries.length === 0) return [];
    const keys = bodyOf<JSONWebKeySet>(
      await this.api.sendWithoutToken({ method: 'GET', path: '/oauth2/jwks' }),
    );
    return Promise.all(
      entries.map(async (entry) => {
        const problem = await signatureProblem(entry, keys);
        return problem === undefined ? entry : { ...entry, problem };
      }),
    );
  }
}

/** Waits for what JetStream stores. */
const stored = async <Value>(answer: Promise<Value>): Promise<Value> => {
  try {
    return await answer;
  } catch (error) {
    throw new ApiUnreachable('JetStream does not answer', { cause: error });
  }
};
