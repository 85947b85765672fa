import { Controller, Get, Inject, NotFoundException, Param } from '@nestjs/common';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { Html } from '@xs2a/html/html';
import { PROFILE } from '@xs2a/runtime/tokens';
import { errorPageOf, errorsPage } from './error-pages.js';

/** What each error code means. */
@Controller('errors')
export class ErrorsController {
  constructor(@Inject(PROFILE) private readonly profile: Profile) {}

  @Get()
  list(): Html {
    return errorsPage();
  }

  @Get(':code')
  show(@Param('code') code: string): Html {
    const found = errorPageOf(code, this.profile);
    if (found === undefined) throw new NotFoundException();
    return found;
  }
}
