import { Controller } from '@nestjs/common';
import { authPresent } from '@xs2a/contracts/auth.contract';
import { Handles } from '@xs2a/calls/handles';

/** Tells the gateway, while it waits for a page, that this server is up and still working on the page. */
@Controller()
export class PresenceController {
  @Handles(authPresent)
  present(): Record<string, never> {
    return {};
  }
}
