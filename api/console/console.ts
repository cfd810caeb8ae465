import { Router } from 'express';
import { onlyMethod } from '../http/only-method';
import { addAccessPage } from './access-page';
import { addActivityPage } from './activity-page';
import { addDeliveriesPage } from './deliveries-page';
import { addDeliveryPage } from './delivery-page';
import { addEndpointPage } from './endpoint-page';
import { addEndpointsPage } from './endpoints-page';
import { liveScriptPath, navigation } from './layout';
import { liveScript } from './live-script';
import { addMerchantsPage } from './merchants-page';
import { addReplaysPage } from './replays-page';
import { addResultPage } from './result-page';
import { addResultsPage } from './results-page';
import { addSettingsPage } from './settings-page';
import { addSignInPages } from './sign-in-pages';
import { addSupportPage } from './support-page';
import { createSite } from './site';
import { addTeamPage } from './team-page';
import type { ConsoleDeps } from './visit';

/** Everything under `/console`: the pages of a merchant's team and of support, on the API's host. */
export function consolePages(deps: ConsoleDeps): Router {
  const site = createSite(deps);
  const { router } = site;
  router.all(liveScriptPath.replace('/console', ''), onlyMethod('GET'), (_request, response) => {
    response.type('text/javascript').setHeader('cache-control', 'no-cache').send(liveScript);
  });
  router.use(deps.addressLimit.guard((request) => site.cookies.read(request)?.hash.toString('hex')));
  addSignInPages(site, deps);
  addMerchantsPage(site, deps);
  addDeliveriesPage(site, deps);
  addDeliveryPage(site, deps);
  addReplaysPage(site, deps);
  addEndpointsPage(site, deps);
  addEndpointPage(site, deps);
  addResultsPage(site, deps);
  addResultPage(site, deps);
  addSupportPage(site, deps);
  addTeamPage(site, deps);
  addAccessPage(site, deps);
  addActivityPage(site, deps);
  addSettingsPage(site, deps);
  site.refuseOtherMethods();
  // Where one comes in; a platform admin is asked for a merchant there.
  router.all('/', onlyMethod('GET'), ({ originalUrl }, response) => {
    const query = originalUrl.split('?', 2)[1];
    response.redirect(303, `/console${navigation[0]?.path ?? ''}${query === undefined ? '' : `?${query}`}`);
  });
  router.use(site.missing);
  router.use(site.errorPage);
  return Router().use('/console', router);
}
