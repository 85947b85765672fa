import { describe, expect, it } from '@jest/globals';
import { readText } from '../sources.js';
import { clientTypes } from './client-types.js';

describe('the types of the TypeScript client', () => {
  it('are those of the API description: run npm run client:types', async () => {
    for (const [name, text] of Object.entries(await clientTypes()))
      expect([name, readText(`clients/typescript/src/generated/${name}`) === text]).toEqual([name, true]);
  });
});
