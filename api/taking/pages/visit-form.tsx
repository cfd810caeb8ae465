import type { ComponentChildren, VNode } from 'preact';
import { HiddenFields } from '../../platform/site/buttons';
import type { InterviewVisit } from './visit';

/**
 * A form that is sent to one of the interview's addresses. The field `for` contains the enrolment for which the form
 * was shown.
 */
export const VisitForm = ({
  visit,
  action,
  id,
  class: className,
  isUpload = false,
  isNewTab = false,
  children,
}: {
  visit: InterviewVisit;
  action: string;
  id?: string;
  class?: string;
  isUpload?: boolean;
  /**
   * True if the reply opens in a new tab, so that text typed in other forms is kept. Ignored in embedded interviews,
   * because a new tab does not have their cookie.
   */
  isNewTab?: boolean;
  children: ComponentChildren;
}): VNode => (
  <form
    id={id}
    class={className}
    method="post"
    enctype={isUpload ? 'multipart/form-data' : undefined}
    action={visit.address(action)}
    target={isNewTab && !visit.isEmbedded ? '_blank' : undefined}
    novalidate
  >
    <HiddenFields fields={{ for: visit.caller.enrolmentId }} />
    {children}
  </form>
);
