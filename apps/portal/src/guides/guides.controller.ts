import { Controller, Get, Header, Inject, NotFoundException, Param } from '@nestjs/common';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { Html } from '@xs2a/html/html';
import { CONFIG, PROFILE } from '@xs2a/runtime/tokens';
import type { PortalConfig } from '../config.js';
import { guidePage, guidesPage } from './guide-pages.js';
import { type Guide, guides } from './guides.js';
import { llmsText } from './llms-text.js';

/** How to use the interface, step by step, in the standard of the running profile. */
@Controller()
export class GuidesController {
  constructor(
    @Inject(CONFIG) private readonly config: PortalConfig,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  @Get('guides')
  list(): Html {
    return guidesPage(this.guides);
  }

  @Get('guides/:name')
  show(@Param('name') name: string): Html {
    const found = this.guides.find((guide) => guide.name === name);
    if (found === undefined) throw new NotFoundException();
    return guidePage(this.guides, found, this.config.BASE_URL);
  }

  @Get('llms.txt')
  @Header('Cache-Control', 'no-cache')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  text(): string {
    return llmsText(this.guides, this.config.BASE_URL, this.profile);
  }

  private get guides(): readonly Guide[] {
    return guides[this.profile.standard];
  }
}
