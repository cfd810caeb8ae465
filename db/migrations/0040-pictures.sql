-- False: the worker has found no picture in a recording that was to be a video, so it counts as sound.
alter table recording add column has_picture boolean not null default true;
