import { describe, expect, it } from '@jest/globals';
import { type SignInKind, SignInPlaces, TooManySignIns } from './sign-in-places.js';

const settled = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Password checks that last until they are told to end. */
const checks = (waitMs?: number) => {
  const places = new SignInPlaces(waitMs);
  const running: { readonly kind: SignInKind; end(): void }[] = [];
  const began = { approval: 0, anonymous: 0 };
  const begin = async (kind: SignInKind, resource: string): Promise<void> =>
    places.run(kind, resource, async () => {
      began[kind] += 1;
      await new Promise<void>((end) => running.push({ kind, end }));
    });
  /** Each is for something of its own. */
  const beginMany = (kind: SignInKind, times: number): Promise<PromiseSettledResult<void>[]> =>
    Promise.allSettled(Array.from({ length: times }, (_, at) => begin(kind, `${kind} ${began[kind]} ${at}`)));
  const endOne = async (kind: SignInKind): Promise<void> => {
    const [one] = running.splice(
      running.findIndex((check) => check.kind === kind),
      1,
    );
    one?.end();
    await settled();
  };
  return { begin, beginMany, began, running, endOne };
};

describe('places for sign-ins', () => {
  it('anonymous sessions have half of them; a session with something to approve finds one free', async () => {
    const { beginMany, began } = checks();
    void beginMany('anonymous', 20);
    void beginMany('approval', 20);
    await settled();
    expect(began).toEqual({ approval: 4, anonymous: 4 });
  });

  it('those with something to approve have all of them while no anonymous one is there, and go first', async () => {
    const { beginMany, began, endOne } = checks();
    void beginMany('approval', 20);
    void beginMany('anonymous', 10);
    await settled();
    expect(began).toEqual({ approval: 8, anonymous: 0 });
    for (let at = 0; at < 12; at += 1) await endOne('approval');
    await settled();
    expect(began).toEqual({ approval: 20, anonymous: 0 });
    for (let at = 0; at < 8; at += 1) await endOne('approval');
    await settled();
    expect(began).toEqual({ approval: 20, anonymous: 4 });
  });

  it('an anonymous session beyond those who wait is told so at once; nobody else is', async () => {
    const { beginMany, began, endOne } = checks();
    const outcomes = beginMany('anonymous', 100);
    const approved = beginMany('approval', 4);
    await settled();
    expect(began).toEqual({ approval: 4, anonymous: 4 });
    for (let at = 0; at < 68; at += 1) await endOne('anonymous');
    for (let at = 0; at < 4; at += 1) await endOne('approval');
    const refused = (await outcomes).filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(32);
    expect(refused.every(({ reason }) => reason instanceof TooManySignIns)).toBe(true);
    expect((await approved).map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'));
  });

  it('who waits too long is told so, and takes no place from those who come later', async () => {
    const { beginMany, began, endOne } = checks(10);
    void beginMany('anonymous', 4);
    expect((await beginMany('anonymous', 10)).map(({ status }) => status)).toEqual(
      Array(10).fill('rejected'),
    );
    await endOne('anonymous');
    void beginMany('anonymous', 1);
    await settled();
    expect(began.anonymous).toBe(5);
  });

  it('beyond three for one link they count as anonymous', async () => {
    const { begin, began } = checks();
    void Promise.allSettled(Array.from({ length: 10 }, () => begin('approval', 'one link')));
    await settled();
    expect(began.approval).toBe(7);
    void begin('approval', 'another link');
    await settled();
    expect(began.approval).toBe(8);
  });

  it('a check that fails gives its place back', async () => {
    const places = new SignInPlaces();
    const fail = async (at: number): Promise<void> =>
      places.run('approval', String(at), () => Promise.reject(new Error('the bank is away')));
    for (let at = 0; at < 20; at += 1) await expect(fail(at)).rejects.toThrow('the bank is away');
    expect(await places.run('anonymous', 'psu', async () => 'checked')).toBe('checked');
  });
});
