import { Controller } from '@nestjs/common';
import { authPresent } from '@xs2a/contracts/auth.contract';
import { Handles } from '@xs2a/calls/handles';

/** Reports that this server is up and working to a gateway that is waiting for a page response. */
@Controller()
export class PresenceController {
  @Handles(authPresent)
  present(): Record<string, never> {
    return {};
  }
}
