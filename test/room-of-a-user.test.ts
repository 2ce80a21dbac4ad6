import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { AS_USER, USER, UserWorld } from "./support/user-world.ts";

const whyNot =
  process.getuid?.() !== 0
    ? "only root can be another user"
    : spawnSync("setpriv", [...AS_USER, "unshare", "--user", "--map-root-user", "--mount", "true"]).status !==
        0
      ? "an ordinary user of this machine can't have a namespace"
      : null;

describe.skipIf(whyNot !== null)(
  `an ordinary user's room${whyNot === null ? "" : `, skipped: ${whyNot}`}`,
  () => {
    it("throws changes away and shows replaced files", () => {
      const world = new UserWorld();
      const line =
        "cat replaced.txt; ls; mkdir -m 0 closed; rm replaced.txt; mkdir replaced.txt; touch replaced.txt/x; pwd";
      expect(world.say(line)).toBe(`old\nreplaced.txt\n${world.root}\n`);
    });

    it("is the same user's, with the same rights", () => {
      const world = new UserWorld();
      world.write("secret.txt", "secret\n", { mode: 0 });
      const line = "id -u; id -g; cat secret.txt; grep CapEff /proc/self/status; stat -c %u replaced.txt .";
      expect(world.say(line)).toBe(world.visit("outside", line).output);
    });

    it("can't undo its own mounts", () => {
      const world = new UserWorld();
      expect(world.say('umount -l "$PWD" 2>/dev/null || echo held; cat replaced.txt')).toBe("held\nold\n");
    });

    it("reads and removes another user's files where it may outside", () => {
      const world = new UserWorld();
      world.write("roots.txt", "root's\n", { owner: 0 });
      const line = "cat roots.txt; echo x 2>/dev/null >>roots.txt || echo refused; rm -f roots.txt; ls";
      expect(world.say(line)).toBe("root's\nrefused\nreplaced.txt\n");
    });

    it("is a copy, and says so, where something is mounted below the project", () => {
      const world = new UserWorld();
      const nested = world.mountBelow("nested");
      // With other slashes, since paths in what a command prints are shown as the project's.
      const line = "cat nested/a replaced.txt; rm nested/a; pwd; pwd | tr / :";
      const { output, isFaithful } = world.visit("inside", line);
      expect({ output, isFaithful }).toEqual({
        output: expect.stringMatching(
          new RegExp(`^nested\nold\n${world.root}\n.+:rooms:.+:project\n$`),
        ) as string,
        isFaithful: false,
      });
      expect(readdirSync(nested)).toEqual(["a"]);
    });

    it("keeps a project another user's when root visits it", () => {
      const world = new UserWorld();
      const line = "stat -c '%n %u' replaced.txt .; echo x >>replaced.txt; stat -c %u replaced.txt";
      expect(world.say(line, ["--"])).toBe(`replaced.txt ${USER}\n. ${USER}\n${USER}\n`);
    });
  },
);
