import { describe, expect, it } from '@jest/globals';
import { version } from 'uuid';
import { newId, uuidv5 } from './ids.js';

describe('generated ids (RFC 9562, version 7)', () => {
  it('are unique, have the right version, and sort in order of creation', () => {
    const ids = Array.from({ length: 2000 }, () => newId());
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => version(id) !== 7)).toEqual([]);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids.map((id) => id.slice(-10))).size).toBe(ids.length);
  });
});

describe('ids derived from names (RFC 9562, version 5)', () => {
  it('match the example in the standard', () => {
    // From appendix A.4: the DNS namespace and www.example.com.
    expect(uuidv5('www.example.com', '6ba7b810-9dad-11d1-80b4-00c04fd430c8')).toBe(
      '2ed6657d-e927-568b-95e1-2665a8aea6a2',
    );
    expect(uuidv5('hold', '6BA7B810-9DAD-11D1-80B4-00C04FD430C8')).toBe(
      uuidv5('hold', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'),
    );
  });

  it.each(['', 'no-uuid', '6ba7b810-9dad-11d1-80b4-00c04fd430c', '6ba7b810-9dad-11d1-80b4-00c04fd430cg'])(
    'require a UUID as namespace: %s',
    (namespace) => expect(() => uuidv5('hold', namespace)).toThrow(TypeError),
  );
});
