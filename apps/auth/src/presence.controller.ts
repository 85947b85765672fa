import { Controller } from '@nestjs/common';
import { authPresent } from '@xs2a/contracts/auth.contract';
import { Handles } from '@xs2a/calls/handles';

/** Says that this server is there and at work, to a gateway that waits for an answer of its pages. */
@Controller()
export class PresenceController {
  @Handles(authPresent)
  present(): Record<string, never> {
    return {};
  }
}
