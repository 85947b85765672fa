import { Controller } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import { listRequests, readRequest } from '@xs2a/contracts/console.contract';
import { OwnRequests } from './own-requests.js';

/** Shows a TPP its own calls (contract 13). This controller is registered only in the sandbox. */
@Controller()
export class SandboxController {
  constructor(private readonly requests: OwnRequests) {}

  @Handles(listRequests)
  async list(request: RequestOf<typeof listRequests>): Promise<AnswerOf<typeof listRequests>> {
    return this.requests.list(request);
  }

  @Handles(readRequest)
  async read(request: RequestOf<typeof readRequest>): Promise<AnswerOf<typeof readRequest>> {
    return this.requests.read(request);
  }
}
