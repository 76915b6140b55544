"""The trusted half inside a sandbox: standard library only, imports nothing of ours (DEC-04).

It is started as ``python3 -I -S -c "import sys; sys.path.append(PARENT); from supervisor.main import main; main()"``.
"""
