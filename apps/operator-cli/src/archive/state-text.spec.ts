import { describe, expect, it } from '@jest/globals';
import { stateText } from './state-text.js';

describe('the output of archive list', () => {
  it.each([
    [{ finishedAt: new Date(0), restoring: false }, 'archived'],
    [{ finishedAt: null, restoring: false }, 'interrupted: run `archive month` again'],
    [{ finishedAt: null, restoring: true }, 'interrupted: run `archive restore` again'],
  ])('describes %j as: %s', (month, text) => expect(stateText(month)).toBe(text));
});
