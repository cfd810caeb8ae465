/*
 * Replaces the types of the DOM, which those of preact refer to, so that server code cannot name a browser's globals by
 * accident (`name`, `event`, `status`).
 */
type NoDom = never;
