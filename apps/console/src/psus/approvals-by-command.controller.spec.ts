import { expect, it, jest } from '@jest/globals';
import { newId } from '@xs2a/runtime/ids';
import { ApprovalsByCommandController } from './approvals-by-command.controller.js';
import type { OpenApprovals } from './open-approvals.js';

it.each(['', 'x'.repeat(65)])('refuses the PSU-ID %j before the search is recorded', async (psuId) => {
  const find = jest.fn<OpenApprovals['find']>();
  const controller = new ApprovalsByCommandController({ find } as unknown as OpenApprovals);
  const asked = { actionId: newId(), operator: 'ivanova', reason: 'case 4711', psuId };
  await expect(controller.find(asked)).rejects.toMatchObject({
    failures: [{ failure: 'fieldMalformed', path: 'psuId' }],
  });
  expect(find).not.toHaveBeenCalled();
});
