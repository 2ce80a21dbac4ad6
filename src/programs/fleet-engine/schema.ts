/** The form of the rows. Another program may use only the same. */
export const SCHEMA_VERSION = 1;

/** pg-boss's own tables. */
export const JOBS = "loop_fleet_jobs";

/** Repeating it changes nothing. */
export const TABLES = `
create schema if not exists loop_fleet;
create table if not exists loop_fleet.meta (version int primary key);
insert into loop_fleet.meta select ${SCHEMA_VERSION} where not exists (select from loop_fleet.meta);
create table if not exists loop_fleet.execution (
  id uuid primary key, workflow text not null, key text not null, exec int not null, queue text not null,
  envelope text not null, at timestamptz not null default now(), unique (key, exec));
create index if not exists execution_workflow on loop_fleet.execution (workflow);
create table if not exists loop_fleet.control (job uuid primary key, text text not null);
create table if not exists loop_fleet.news (
  job uuid not null, position int not null, text text not null, primary key (job, position));
create table if not exists loop_fleet.code (
  id bigserial primary key, workflow text not null, commit text not null, needs text[] not null, pack bytea not null);
create index if not exists code_commit on loop_fleet.code (commit);
create table if not exists loop_fleet.want (
  workflow text not null, commit text not null, has text[] not null, at timestamptz not null default now());
create table if not exists loop_fleet.worker (id text primary key, row jsonb not null, seen timestamptz not null);
create table if not exists loop_fleet.introduction (driver text primary key, text text not null);
create table if not exists loop_fleet.account (name text primary key, until bigint not null);
`;

/** A role for workers: it takes jobs and says what came of them. It can't submit any, nor alter what is to be done. */
export const WORKER_ROLE = "loop_worker";

export const GRANTS = `
do $$ begin
  if not exists (select from pg_roles where rolname = '${WORKER_ROLE}') then create role ${WORKER_ROLE} nologin; end if;
end $$;
grant usage on schema loop_fleet, ${JOBS} to ${WORKER_ROLE};
grant select on all tables in schema loop_fleet to ${WORKER_ROLE};
grant select on all tables in schema ${JOBS} to ${WORKER_ROLE};
grant insert on loop_fleet.news, loop_fleet.code, loop_fleet.want to ${WORKER_ROLE};
grant insert, update on loop_fleet.worker, loop_fleet.account to ${WORKER_ROLE};
grant usage on all sequences in schema loop_fleet to ${WORKER_ROLE};
grant execute on all functions in schema ${JOBS} to ${WORKER_ROLE};
grant update (state, started_on, completed_on, output, heartbeat_on, retry_count, blocked, pending_dependencies)
  on ${JOBS}.job, ${JOBS}.job_common to ${WORKER_ROLE};
`;
