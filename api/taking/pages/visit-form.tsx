import type { ComponentChildren, VNode } from 'preact';
import { Hidden } from '../../platform/site/buttons';
import type { Visit } from './visit';

/** A form that goes to one of the interview's addresses. `for` says for whose attempt it was shown. */
export const Form = ({
  visit,
  action,
  isNewTab = false,
  children,
}: {
  visit: Visit;
  action: string;
  /**
   * True if the reply opens in another tab, so that what is typed in other forms stays. Not inside other sites, where another
   * tab does not have the cookie.
   */
  isNewTab?: boolean;
  children: ComponentChildren;
}): VNode => (
  <form
    method="post"
    action={visit.address(action)}
    target={isNewTab && !visit.isEmbedded ? '_blank' : undefined}
    novalidate
  >
    <Hidden fields={{ for: visit.caller.enrolmentId }} />
    {children}
  </form>
);
