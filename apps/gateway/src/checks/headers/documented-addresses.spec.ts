import { describe, expect, it } from '@jest/globals';
import type { Failure } from '@xs2a/domain/failure/failures';
import { receiverRules } from '@xs2a/runtime/receivers/notification-receivers';
import { readFileSync } from 'node:fs';
import { notificationIn } from './notification-headers.js';

const guide = readFileSync(new URL('../../../../../docs/how-to/test-your-tpp.md', import.meta.url), 'utf8');
const rows = [...guide.matchAll(/^\| `(https?:[^`]+)` +\| .* (yes|no) +\| (yes|no) +\|$/gm)].map(
  ([, address = '', here, elsewhere]) => ({ address, here: here === 'yes', elsewhere: elsewhere === 'yes' }),
);

describe('the table of notification addresses in docs/how-to/test-your-tpp.md', () => {
  it('contains only rows that this spec parses, so that every address is tested', () => {
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.length).toBe(guide.match(/^\| `https?:/gm)?.length);
  });

  it.each([
    { place: 'here', BASE_URL: 'http://127.0.0.1:8080' },
    { place: 'elsewhere', BASE_URL: 'https://sandbox.bank.example' },
  ] as const)('states which addresses a sandbox that runs $place accepts', ({ place, BASE_URL }) => {
    const receivers = receiverRules({ SANDBOX: true, BASE_URL });
    for (const { address, ...documented } of rows) {
      const failures: Failure[] = [];
      const rules = { registered: [address], sandbox: true, receivers };
      notificationIn({ 'tpp-notification-uri': address }, rules, failures);
      expect([address, failures.length === 0]).toEqual([address, documented[place]]);
    }
  });
});
