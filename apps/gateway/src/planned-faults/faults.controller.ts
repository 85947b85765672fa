import { Controller, Req } from '@nestjs/common';
import type { PlannedFault } from '@xs2a/contracts/sandbox/planned-faults';
import { requireBody } from '../checks/body/json-body.js';
import { type EdgeRequest, requireCaller } from '../edge/edge-request.js';
import { Endpoint } from '../endpoint.js';
import { readPlannedFault } from '../sandbox/sandbox-bodies.js';
import { PlannedFaults } from './planned-faults.js';

interface Answer {
  readonly faults: readonly PlannedFault[];
}

/** Lets a TPP plan that its next calls fail, so that it can test what it does then (contract 13). Only in a sandbox. */
@Controller()
export class FaultsController {
  constructor(private readonly planned: PlannedFaults) {}

  @Endpoint('listFaults')
  async list(@Req() request: EdgeRequest): Promise<Answer> {
    return { faults: await this.planned.read(requireCaller(request).tpp.clientId) };
  }

  @Endpoint('planFault')
  async plan(@Req() request: EdgeRequest): Promise<Answer> {
    const { operation, outcome, calls = 1 } = readPlannedFault(requireBody(request));
    const { clientId } = requireCaller(request).tpp;
    const planned = outcome === 'none' ? outcome : { outcome, calls };
    return { faults: await this.planned.plan(clientId, operation, planned) };
  }
}
