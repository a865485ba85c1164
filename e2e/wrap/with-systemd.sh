#!/bin/sh
# Starts a real systemd for the user's services, as after a login, where the machine was started without systemd. What it
# needs (/run, the control groups) is mounted in a namespace of its own.
mount -t tmpfs none /run && mkdir -p /run/systemd/system
mount -t cgroup2 none /sys/fs/cgroup || mount -t tmpfs none /sys/fs/cgroup
exec /usr/lib/systemd/systemd --user
