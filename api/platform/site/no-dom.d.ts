/* Replaces the DOM types that preact's types refer to, so that server code cannot use globals of browsers by accident
   (`name`, `event`, `status`). */
type NoDom = never;
