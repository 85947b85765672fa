import { ForbiddenException, Get, Post, Redirect, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ForRoles } from '../staff/for-roles.js';
import { roles } from '../staff/roles.js';
import { bareHeaders, barePage } from './bare-page.js';
import { firstPlace } from './frame.js';
import { StaffPages } from './staff-pages.js';
import { ThisVisit, type Visit } from './visit.js';

/** The entrance, and the way out. */
@StaffPages()
export class HomeController {
  @Get()
  @ForRoles(...roles)
  @Redirect()
  home(@ThisVisit() { staff }: Visit): { readonly url: string; readonly statusCode: number } {
    const place = firstPlace(staff);
    if (place === undefined) throw new ForbiddenException();
    return { url: place.to, statusCode: 303 };
  }

  @Post('sign-out')
  @ForRoles(...roles)
  async signOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await request.session.destroy();
    const page = barePage('You are signed out', 'Close the browser on a shared computer.', {
      to: '/sign-in?prompt=login',
      text: 'Sign in again',
    });
    await reply.code(200).headers(bareHeaders).send(page.text);
  }
}
