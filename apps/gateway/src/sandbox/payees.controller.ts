import { Controller, Req, Res } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import { answerPayee, type PayeeAnswer } from '@xs2a/contracts/payees/payees.contract';
import { Clock } from '@xs2a/runtime/clock';
import type { FastifyReply } from 'fastify';
import { requireBody } from '../checks/body/json-body.js';
import type { EdgeRequest } from '../edge/edge-request.js';
import { Endpoint } from '../endpoint.js';

/** Lets a TPP ask as another bank does through the scheme's router (contract 15). */
@Controller()
export class PayeesController {
  constructor(
    private readonly callClient: CallClient,
    private readonly clock: Clock,
  ) {}

  @Endpoint('verifyPayee')
  async verify(
    @Req() request: EdgeRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PayeeAnswer> {
    const answer = await this.callClient.call(answerPayee, { body: requireBody(request) });
    void reply.header('x-response-timestamp', this.clock.now());
    return answer;
  }
}
