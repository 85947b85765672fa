import { Controller, Get } from '@nestjs/common';
import type { Html } from '@xs2a/html/html';
import { changelogPage } from './changelog-page.js';

/** What changed for TPPs. */
@Controller('changelog')
export class ChangelogController {
  @Get()
  show(): Html {
    return changelogPage();
  }
}
